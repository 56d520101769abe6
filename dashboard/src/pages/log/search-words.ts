/** What may stand before the colon, and the filter it sets. */
const filterOf: Record<string, string> = {
  user: 'username',
  model: 'model_name',
  channel: 'channel',
  token: 'token_name',
  group: 'group',
};

/**
 * The filters of a text such as `user:alice token:"my app" 20261123…`; what has no colon is a request ID. Nothing where no word has
 * a colon that is known.
 */
export function readWords(text: string): Record<string, string> {
  const words = [...text.matchAll(/(?:(\w+):)?(?:"([^"]*)"|(\S+))/g)].map(([whole, key = '', quoted, plain = '']) => ({
    name: filterOf[key.toLowerCase()],
    value: quoted ?? plain,
    whole,
  }));
  if (!words.some(({ name }) => name)) return {};
  return Object.fromEntries(
    words.map(({ name, value, whole }): [string, string] => (name ? [name, value] : ['request_id', whole])),
  );
}
