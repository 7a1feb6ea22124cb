"""The writers: each is a member of staff with a browser, who sends forms and keeps a journal of them."""
