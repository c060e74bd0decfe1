"""Reading whole small files, where a pipe, a device or something huge may have the place of one."""
from __future__ import annotations

import errno
import os
import stat

LARGEST = 2**28  # bytes of a file that is read at once


def regular(path: str, flags: int) -> int:
    """An opener for `open`: what has the place of a file, but is a pipe, a device or a socket, is not waited for.

    Raises:
        OSError: It is no regular file, or cannot be opened.
    """
    try:
        number = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError as error:  # a zero character, or half of a pair of UTF-16
        raise OSError(errno.EINVAL, f"it is no name of a file ({error})", path) from None
    kind = os.fstat(number).st_mode
    if not stat.S_ISREG(kind):
        os.close(number)
        raise OSError(errno.EISDIR if stat.S_ISDIR(kind) else errno.EINVAL, "it is no regular file", path)
    return number


def placed(name: str) -> str:
    """The absolute path of a file to write; a link of that name is replaced, whatever what it leads to is called.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.core.plain_files import placed
        >>> folder = os.path.realpath(tempfile.mkdtemp())
        >>> os.symlink(folder + "/other", folder + "/net.ckpt")
        >>> placed(folder + "/net.ckpt") == folder + "/net.ckpt"
        True
    """
    folder, last = os.path.split(os.path.abspath(name))
    return os.path.join(os.path.realpath(folder), last)


def content(path: str | os.PathLike[str], largest: int = LARGEST) -> bytes:
    """The bytes of a file.

    Raises:
        OSError: It cannot be read, or is no regular file.
        ValueError: It is larger than anything that has its purpose.
    """
    with open(path, "rb", opener=regular) as file:
        size = os.fstat(file.fileno()).st_size
        if size > largest:
            raise ValueError(f"it has {size} bytes, more than {largest}")
        return file.read()
