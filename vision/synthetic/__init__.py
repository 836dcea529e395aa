"""Makes labelled pictures of tables: training, the demo and the tests draw from it."""
