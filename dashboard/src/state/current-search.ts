/** The address as it stands: what a page knows of it is older while it is still being redrawn, and two quick changes would meet. */
export function currentSearch(): URLSearchParams {
  return new URLSearchParams(window.location.search);
}
