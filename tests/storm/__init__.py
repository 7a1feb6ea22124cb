"""A storm: many clients use the real portal while its processes and its connections fail.

``python -m tests.storm`` starts an engine and a server of its own. Writers and readers use them over HTTP, while one
trouble follows another: engine, workers or server are killed, requests and answers are lost, late or cut, imports are
killed. Afterwards the judge reads everything by the portal's own queries, and compares it with what was acknowledged:

- Each thing has its last acknowledged values, once in every list, and one history entry for each acknowledged change.
- ``verify_data`` and ``check_tables`` find nothing. No session ends by itself, or outlives its logout.
- The portal is as usual within 45 seconds after each trouble, and the log has no traceback.
"""
