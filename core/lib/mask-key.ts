/** `sk-ab…wxyz`: enough to tell two keys apart, too little to use or to guess one. */
export function maskKey(key: string): string {
  if (key === '') return '';
  const prefix = key.startsWith('sk-') ? 'sk-' : '';
  const rest = key.slice(prefix.length);
  if (rest.length < 12) return `${prefix}…`;
  return `${prefix}${rest.slice(0, 2)}…${rest.slice(-4)}`;
}
