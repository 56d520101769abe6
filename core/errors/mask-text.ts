/** An upstream's error text goes to strangers: no longer than this, in characters. */
export const maxErrorText = 2000;

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
  // Names that only the operator's own network knows.
  [
    /\b(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+(?:internal|local|localdomain|lan|corp|intra|intranet|private|home|svc|consul)\b/gi,
    '[address]',
  ],
  [/\bip(?:-\d{1,3}){4}\b/gi, '[address]'],
  [/\b((?:host(?:name)?|node|pod|backend|upstream)[:\s]+["'`]?)[a-z\d]+(?:[-_][a-z\d]+)*-\d+\b/gi, '$1[address]'],
  // Files of the machine that responded: by its usual folders, or by their ending.
  [/(?<![\w/.])\/(?:home|root|usr|var|etc|opt|srv|mnt|tmp|proc|run|app|data|workspace|Users)\/[^\s"'<>()]+/g, '[path]'],
  [
    /(?<![\w/.])\/(?:[\w.-]+\/)+[\w-]+\.(?:py|js|ts|go|rs|java|rb|php|so|json|ya?ml|toml|conf|log|pem|key|env)\b/g,
    '[path]',
  ],
  [/\b[a-z]:\\[^\s"'<>()]+/gi, '[path]'],
];

/** A run of this many characters of a key appears only in a text that contains the key. */
const tellingLength = 10;

/** Takes keys and addresses out of a text and cuts it; `secrets` are texts that must not appear at all (the channel's key, its host). */
export function maskText(text: string, secrets: readonly string[] = []): string {
  // Cut twice: before, so that the patterns meet little text, and after, because a mask may be longer than what it hides.
  let masked = text.slice(0, 2 * maxErrorText);
  for (const secret of secrets) if (secret.length >= 4) masked = masked.replaceAll(secret, '***');
  masked = maskForms(masked, secrets.flatMap(formsOf));
  for (const host of secrets.flatMap(hostOf)) masked = masked.replace(host, '[address]');
  for (const [pattern, replacement] of masks) masked = masked.replace(pattern, replacement);
  // Control characters could break a log line or a terminal.
  masked = masked.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return masked.length > maxErrorText ? `${masked.slice(0, maxErrorText - 1)}…` : masked;
}

/** Whether a short text shows a secret, or its end: for values that are passed on or left out, never changed. */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return secrets.some((secret) => secret.length >= 8 && lower.includes(secret.slice(-tellingLength).toLowerCase()));
}

/** Words that have a piece of a secret in them. */
function maskForms(text: string, forms: readonly string[]): string {
  if (forms.length === 0) return text;
  return text.replace(/[^\s"'`<>,;(){}[\]]{10,}/g, (word) => {
    const lower = word.toLowerCase();
    for (let at = 0; at + tellingLength <= lower.length; at += 1) {
      const piece = lower.slice(at, at + tellingLength);
      if (forms.some((form) => form.includes(piece))) return '***';
    }
    return word;
  });
}

/** How a secret may be in a text: as it is, as hexadecimal digits, or as base64 behind any other text. */
function formsOf(secret: string): string[] {
  return partsOf(secret).flatMap((part) => {
    const bytes = Buffer.from(part);
    const shifted = [0, 1, 2].map((shift) => Buffer.concat([Buffer.alloc(shift), bytes]));
    // The first and the last characters contain bits of what is around it.
    const encoded = shifted.flatMap((one) => [one.toString('base64'), one.toString('base64url')]);
    const inner = encoded.map((text) => text.replace(/=+$/, '').slice(4, -1));
    return [part, bytes.toString('hex'), encodeURIComponent(part), ...inner].map((form) => form.toLowerCase());
  });
}

/** The host of an address by itself, without its port, as a word. */
function hostOf(secret: string): RegExp[] {
  const host = /^[a-z]+:\/\/(?:[^/?#@]*@)?([a-z\d.-]{4,})/i.exec(secret)?.[1];
  return host === undefined
    ? []
    : [new RegExp(`(?<![\\w.-])${host.replaceAll('.', '\\.')}(?![\\w-])(?::\\d{1,5})?`, 'gi')];
}

/** Of a key made of several, or of an account's JSON, what is secret: names and regions are in texts for good reasons. */
function partsOf(secret: string): string[] {
  const parts = secret.trimStart().startsWith('{')
    ? [...secret.matchAll(/"(?:private_key|private_key_id|client_secret|refresh_token)"\s*:\s*"([^"]+)"/g)].map(
        ([, value = '']) => value.replace(/-----[A-Z ]+-----|\\n/g, ''),
      )
    : secret.split('|').map((part) => part.trim());
  return parts.filter((part) => part.length >= 16 && !/^[a-z]+:\/\//i.test(part));
}
