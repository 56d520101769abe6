/** A table. A bar inside a cell would end it, and `<name>` outside of code would be read as HTML. */
export function markdownTable(head: string[], rows: string[][]): string {
  const escaped = (cell: string) =>
    cell.replaceAll('|', '\\|').replace(/(`[^`]*`)|</g, (_found, code) => code ?? '\\<');
  const line = (cells: string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}
