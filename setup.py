"""Adds the stubs of the public paths to a wheel; everything else stands in pyproject.toml."""

from __future__ import annotations

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

SOURCES = Path(__file__).resolve().parent / "src"


class BuildWithStubs(build_py):
    """Builds the package, and beside it a `.pyi` file for every path that is a row of the table."""

    def run(self):
        super().run()
        if self.editable_mode:  # the sources themselves are installed: nothing is written there
            return
        sys.path.insert(0, str(SOURCES))
        from mindspore._names import rows  # only importable from here on
        from mindspore._names.hook import Table
        from mindspore._names.stubs import stubs

        table = Table("mindspore", str(SOURCES / "mindspore"), rows())
        for name, text in stubs(table).items():
            file = Path(self.build_lib) / "mindspore" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)


setup(cmdclass={"build_py": BuildWithStubs})
