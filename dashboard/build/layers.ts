/**
 * From what every page needs to what some need. Each layer brings what it imports along, so files import only from those above and none
 * waits for another in a circle. What a single page or dialog imports stays in a file of its own.
 */
const layers = [
  { name: 'console', tags: ['$initial' as const] },
  {
    // What the sign-in pages and the lists have in common, for the first look.
    name: 'page',
    test: anyOf(
      /react-(input|label)\/|react-badge\/lib\/components\/Badge\/|MessageBarTitle|useMutation/,
      /src\/components\/(page|button-link|setting-link|text-link|when)\.tsx|src\/state\/(?!after-registration|listed-price|price-text|pressed|use-invitation|use-settled|csv|compact-number)|src\/api\/(session|token)/,
      /core\/(billing\/(quota|decimal)|schemas\/token-status)/,
      iconOf('eye'),
    ),
  },
  {
    name: 'list',
    test: anyOf(
      /components\/list\/(list-page|use-list|use-bulk|search-filter)/,
      // The page of a token shows what the list shows.
      /pages\/token\/(token-column|use-token-row)\./,
      iconOf('add|chat|copy|delete|edit|key|play|prohibited'),
    ),
  },
  {
    // What the other lists and the overviews have in common, for the first look.
    name: 'look',
    test: anyOf(
      /react-(select|switch|card|tabs|tooltip|positioning|portal)\/|react-button\/lib\/.*Toggle|@floating-ui\//,
      /components\/(list\/(filter|range-filter|more-filters|time-range)|(tone-badge|section-card|small-table|icon-button)\.)/,
      /components\/object\/(state-mark|waiting-skeleton)|src\/api\/(audit|log|channel|overview|usage-data|get-started|group|search)\./,
      /src\/pages\/(overview\/|home\/get-started|detail\/(?!detail-page|charts\/)|pricing\/price\.)|core\/schemas\/(call-group|channel-(status|ranking)|log-type|other-models|overview-days)\./,
      /src\/state\/(compact-number|csv|price-text|use-settled)\.|react-icons\/lib\/(?!atoms\/svg\/eye-off\.)/,
    ),
  },
  {
    name: 'form',
    test: anyOf(
      /components\/sign-in\/(sign-in-card|outside-sign-in|human-check|use-second-step)/,
      /components\/form\/(form|use-schema-form|text-field)\.tsx?|src\/state\/(?!listed-price)|core\/(text\/detail|schemas\/channel-type)|pages\/channel\/channel-type\./,
    ),
  },
  {
    name: 'channel-list',
    test: /src\/pages\/channel\/(channel-(page|badge|column|cell)|(condition|number|ranking)-cell|ranking|run-bar|use-(channel-bulk|channel-row|run))\./,
  },
  {
    // Menus, dialogs, toasts and the checks of forms: after the first look, and what other pages share.
    name: 'more',
    test: anyOf(
      /node_modules\/zod\/|@fluentui\/(?!.*charts)/,
      /dashboard\/src\/(api|components\/(?!markdown)|pages\/(user\/(use-user-row|user-cell)|channel\/(channel-menu|other-field|provider-(gallery|letter))))/,
      /\/core\/(schemas|lib|text\/detail)|src\/i18n\/option-text|src\/pages\/(not-found\/|docs\/(?!docs-page|document-page))/,
    ),
  },
  // Computes a bill again, for receipts.
  { name: 'bill', test: /\/core\/(billing\/(price|prepared-rates|receipt)|errors)/ },
  { name: 'markdown', test: /components\/markdown\.tsx/ },
  { name: 'home', test: /src\/pages\/home\// },
  { name: 'charts', test: /pages\/detail\/charts\// },
  {
    // The overview and the page of usage show the same figures, and so do the pages of objects.
    debugName: 'figure-text',
    name: (id: string) => `figure-text-${/i18n\/(\w+)/.exec(id)?.[1]}`,
    test: /src\/i18n\/(zh|en)\/(overview|detail)\.json/,
  },
  // Opens with one of its parts, so that one file is sooner there than two.
  { name: 'setting', test: /src\/pages\/setting\// },
  {
    // The own limits stand on the overview and in the wallet, too: one file there.
    name: 'limit-bars',
    test: /src\/pages\/limit\/(own-limit-card|limit-rows|limit-bar|resets|use-limit-text)\./,
  },
  // What a page and its dialogs share.
  {
    debugName: 'parts',
    name: (id: string) => `${/src\/pages\/(\w+)/.exec(id)?.[1] ?? 'shared'}-part`,
    test: /dashboard\/src\/pages\/|\/core\//,
    minShareCount: 2,
  },
];

function anyOf(...patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'));
}

function iconOf(names: string): RegExp {
  return new RegExp(`react-icons/lib/atoms/svg/(${names})\\.js`);
}

export const groups = layers.map((layer, index) => ({ ...layer, priority: layers.length - index }));
