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
      /src\/components\/(page|button-link|setting-link|text-link|when)\.tsx|src\/state\/(?!price-text|pressed|use-invitation|use-settled|csv|compact-number)|src\/api\/(session|token)/,
      /core\/(billing\/(quota|decimal)|schemas\/token-status)/,
      iconOf('eye'),
      /sizedIcons\/chunk-24\./,
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
    name: 'form',
    test: anyOf(
      /components\/sign-in\/(sign-in-card|outside-sign-in|human-check|use-second-step)/,
      /components\/form\/(form|use-schema-form|text-field)\.tsx?|src\/state\//,
    ),
  },
  {
    // Menus, dialogs, toasts and the checks of forms: after the first look, and what other pages share.
    name: 'more',
    test: anyOf(
      /node_modules\/zod\/|@fluentui\/(?!.*charts)/,
      /dashboard\/src\/(api|components\/(?!markdown)|pages\/user\/(use-user-row|user-cell))/,
      /\/core\/(schemas|lib|text\/detail)|src\/i18n\/option-text|src\/pages\/(not-found\/|docs\/document\.ts)/,
    ),
  },
  { name: 'markdown', test: /components\/markdown\.tsx/ },
  // The first page, for visitors and users, with the figures that the usage page shows too.
  { name: 'start', test: /src\/pages\/(overview|home)\/|src\/pages\/detail\/(?!detail-page|charts\/)/ },
  { name: 'charts', test: /pages\/detail\/charts\// },
  // Opens with one of its parts, so that one file is sooner there than two.
  { name: 'setting', test: /src\/pages\/setting\// },
  // The page of one channel, with what the list and the first start share with it.
  {
    name: 'channel-page',
    test: /src\/pages\/channel\/(channel-object-page|channel-state-line|channel-type|other-field|provider-(gallery|letter)|use-channel-row)\./,
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
