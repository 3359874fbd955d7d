// @ts-check
/**
 * A one-time link or seat pass carries its code behind the # of its address, which no server sees. This takes it from
 * there into the form, out of the address (and the history), and asks what the code is for. Nothing is used up by that.
 */

function takeCode() {
  const code = decodeURIComponent(location.hash.slice(1));
  const field = document.querySelector("input[name=token][data-code]");
  if (!code || !(field instanceof HTMLInputElement)) return;
  history.replaceState(null, "", location.pathname + location.search);
  field.value = code;
  field.form?.requestSubmit();
}

window.addEventListener("hashchange", takeCode);
takeCode();
