# Made from _async by tools/make_sync.py: change it there.
