"""Writes at a table: each verb enters here, asks who may, and calls down to the sheet."""
