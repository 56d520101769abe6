/** Hands a file to the browser, to be kept under this name. */
export function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken it by then; Safari reads it only after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
