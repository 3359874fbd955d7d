"""A room that exists in tests only: views that show what the root does, topics that follow from a person, and shorter
times. Everything else is the house as it is."""
