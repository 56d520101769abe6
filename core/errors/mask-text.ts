/** An upstream's error text goes to strangers: no longer than this, in characters. */
export const maximumErrorText = 2000;

const masks: [RegExp, string][] = [
  [/\b(?:https?|wss?|ftp):\/\/[^\s"'<>]+/gi, '[address]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 ***'],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '***'],
  // Keys by their common beginnings, also when the upstream has starred out their middle.
  [/\b(?:sk|pk|rk|ak|fk|xai|gsk|pat|fastgpt|r8)[-_][\w*.-]{6,}/gi, '***'],
  [/\bAIza[\w-]{20,}/g, '***'],
  [/\bAKIA[A-Z0-9]{12,}/g, '***'],
  [
    /\b((?:api[-_ ]?key|authorization|x-api-key|access[-_ ]?token|secret)["']?\s*[:=]\s*["']?)[^\s"',;}]{4,}/gi,
    '$1***',
  ],
  [/\b(dial \w+|lookup|getaddrinfo \w+|connect \w+)\s+[\w.:[\]-]+/gi, '$1 [address]'],
  [/\b(key (?:provided|given)\s*:\s*)[^\s"',;]{6,}/gi, '$1***'],
  [/\[[\da-f:.]{3,}\](?::\d{1,5})?/gi, '[address]'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, '[address]'],
  [/\b(?:localhost|[a-z\d-]+(?:\.[a-z\d-]+)+):\d{1,5}\b/gi, '[address]'],
  [/\blocalhost\b/gi, '[address]'],
];

/** Takes keys and addresses out of a text and cuts it; `secrets` are texts that must not appear at all (the channel's key, its host). */
export function maskText(text: string, secrets: readonly string[] = []): string {
  // Cut twice: before, so that the patterns meet little text, and after, because a mask may be longer than what it hides.
  let masked = text.slice(0, 2 * maximumErrorText);
  for (const secret of secrets) if (secret.length >= 4) masked = masked.replaceAll(secret, '***');
  for (const [pattern, replacement] of masks) masked = masked.replace(pattern, replacement);
  // Control characters could break a log line or a terminal.
  masked = masked.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return masked.length > maximumErrorText ? `${masked.slice(0, maximumErrorText - 1)}…` : masked;
}
