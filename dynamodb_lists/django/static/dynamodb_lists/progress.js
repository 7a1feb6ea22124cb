// A long action goes on by itself: the form of its next portion is sent.
const form = document.querySelector("form[data-wait]");
setTimeout(() => form.submit(), Number(form.dataset.wait));
