import { saveFile } from './save-file.ts';

/** Rows as a file that spreadsheets open: UTF-8 with a mark, because some of them guess otherwise. */
export function downloadCsv(name: string, rows: (string | number)[][]): void {
  const text = rows.map((row) => row.map(cellText).join(',')).join('\r\n');
  saveFile(name, new Blob([`\ufeff${text}\r\n`], { type: 'text/csv' }));
}

/** Quoted where needed; a text that a spreadsheet would run as a formula, also by its wide signs, gets an apostrophe. */
function cellText(value: string | number): string {
  const text =
    typeof value === 'string' && /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
