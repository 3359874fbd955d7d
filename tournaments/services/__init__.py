"""Writes of places: one function for each verb a person would say."""
