"""Reads of places. Each returns frozen values; page, CSV, print and file all use the same one."""
