"""The reference: one module per topic, each reads like its spec page."""
