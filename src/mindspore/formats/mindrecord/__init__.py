"""MindRecord files, versions 2.0 (read) and 3.0 (read and written): no torch, whole blocks of rows at a time.

A data file is a header area (length word and JSON) and pages of one size, of two kinds: blob pages hold fields of type
bytes and arrays, raw pages the others as MessagePack maps. Beside it stands `<file>.db`, an SQLite file that says where
each row lies. A set is one or more such files (shards) with one schema.
"""
