"""A storm: many clients use the real portal while its processes and its connections fail.

``python -m tests.storm`` starts an engine and a server of its own. Writers and readers use them over HTTP, while one
trouble follows another. Afterwards the storm compares what the portal acknowledged with what is stored: docs/storm.md.
"""
