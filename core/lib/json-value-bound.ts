const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b];

/** Places where a value may begin in a JSON text, counted without parsing it; those inside of strings count too. */
export function countValueMarks(json: string): number {
  let marks = 0;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === comma || unit === bracket || unit === brace) marks += 1;
  }
  return marks;
}
