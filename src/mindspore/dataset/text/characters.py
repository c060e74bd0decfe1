"""Classes of characters: white space, punctuation, scripts, case folding."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import regex

# Characters with the property White_Space.
SPACES = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
WORD = re.compile(f"[^{SPACES}]+")
SEPARATORS = re.compile("[\x1c-\x1f]")  # white space for str.split, not for Unicode

# Blocks of Chinese characters that BERT's tokenizers treat as words of their own.
IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
ASCII_SIGNS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")

# Characters that are left out when text is folded (property Default_Ignorable_Code_Point).
_IGNORABLE = (
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)

# Names of scripts (Unicode Standard Annex 24), the frequent ones first.
_NAMES = (
    "Common Latin Han Hiragana Katakana Hangul Cyrillic Arabic Greek Devanagari Hebrew Thai "
    "Inherited Unknown Adlam Ahom Anatolian_Hieroglyphs Armenian Avestan Balinese Bamum Bassa_Vah "
    "Batak Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian "
    "Caucasian_Albanian Chakma Cham Cherokee Chorasmian Coptic Cuneiform Cypriot Cypro_Minoan "
    "Deseret Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Georgian "
    "Glagolitic Gothic Grantha Gujarati Gunjala_Gondi Gurmukhi Hanifi_Rohingya Hanunoo Hatran "
    "Imperial_Aramaic Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Kawi "
    "Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki Khudawadi Lao Lepcha Limbu Linear_A "
    "Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen "
    "Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs "
    "Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa "
    "Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian "
    "Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage "
    "Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic "
    "Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng "
    "Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil "
    "Tangsa Tangut Telugu Thaana Tibetan Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho "
    "Warang_Citi Yezidi Yi Zanabazar_Square"
)
SCRIPTS = tuple(_NAMES.split())


class LazyTable(dict):
    """A table for `str.translate` that is filled as characters turn up."""

    def __init__(self, entry: Callable[[str], str]):
        super().__init__()
        self._entry = entry

    def __missing__(self, code: int) -> str:
        result = self[code] = self._entry(chr(code))
        return result


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(low <= code <= high for low, high in ranges)


def stands_alone(character: str) -> bool:
    """Whether a character is a word of its own: punctuation, a sign of ASCII, or Chinese."""
    if character in ASCII_SIGNS:
        return True
    code = ord(character)
    if code < 0x80:
        return False
    return _within(code, IDEOGRAPHS) or unicodedata.category(character)[0] == "P"


def _script(character: str) -> str:
    """A sign for the script of a character, the same for all characters of the script; a space for white space."""
    if character in SPACES:
        return " "
    for number, name in enumerate(SCRIPTS):
        if regex.match(rf"\p{{Script={name}}}", character):
            return chr(0xE000 + number)
    return chr(0xE000 + len(SCRIPTS))


def _fold(character: str) -> str:
    """NFKC_Casefold of a character (Unicode Standard, section 3.13)."""
    if _within(ord(character), _IGNORABLE):
        return ""
    text = unicodedata.normalize("NFD", character)
    for _ in range(2):
        text = unicodedata.normalize("NFKC", text.casefold())
    return "".join(c for c in text if not _within(ord(c), _IGNORABLE))


_script_signs = LazyTable(_script)
_folded = LazyTable(_fold)
_without_controls = LazyTable(lambda c: " " if unicodedata.category(c) in ("Cc", "Cf") else c)
_without_accents = LazyTable(lambda c: "" if unicodedata.category(c) == "Mn" else c)


def script_signs(text: str) -> str:
    """`text` with each character replaced by a sign for its script, white space by spaces."""
    return text.translate(_script_signs)


def folded(text: str) -> str:
    """`text` without differences of case, width and other variants: NFKC_Casefold."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", text.translate(_folded))


def without_controls(text: str) -> str:
    """`text` with spaces for control and format characters."""
    return text if text.isprintable() else text.translate(_without_controls)


def without_accents(text: str) -> str:
    """`text` decomposed, without marks."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFD", text).translate(_without_accents)
