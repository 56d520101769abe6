import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createStoredValue } from '../state/stored-value.ts';

export const languages = ['zh', 'en'] as const;
export type Language = (typeof languages)[number];

const storedLanguage = createStoredValue<Language>('language', (stored) =>
  stored === undefined
    ? browserLanguage(navigator.languages)
    : (languages.find((language) => language === stored) ?? 'zh'),
);

/** The first of the browser's languages that is one of ours, else Chinese. */
export function browserLanguage(wanted: readonly string[]): Language {
  const known = wanted.map((name) => languages.find((language) => name.toLowerCase().split('-')[0] === language));
  return known.find((language) => language !== undefined) ?? 'zh';
}

/** `./zh/token.json` are the Chinese texts of the namespace `token`; a page brings its namespace along. */
const own = import.meta.glob<Record<string, unknown>>('./{zh,en}/*.json', { import: 'default' });
/** The settings are described in one place for all parts of the program. */
const shared = import.meta.glob<Record<string, unknown>>('../../../core/text/{zh,en}/option.json', {
  import: 'default',
});

const fileTexts: BackendModule = {
  type: 'backend',
  init: () => {},
  read(language, namespace, done) {
    const load = own[`./${language}/${namespace}.json`] ?? shared[`../../../core/text/${language}/${namespace}.json`];
    if (!load) {
      done(new Error(`there are no texts ${language}/${namespace}`), null);
      return;
    }
    load().then(
      (texts) => done(null, texts),
      (error: Error) => done(error, null),
    );
  },
};

/** Before anything is drawn. Each language has every text, so the other one is never fetched. */
export async function startLanguage(): Promise<void> {
  document.documentElement.lang = storedLanguage.get();
  await i18next
    .use(fileTexts)
    .use(initReactI18next)
    .init({
      lng: storedLanguage.get(),
      fallbackLng: false,
      supportedLngs: languages,
      ns: ['shell'],
      defaultNS: 'shell',
      interpolation: { escapeValue: false }, // React escapes
    });
  // Chosen in another tab: a browser's calls are all in one language, so its pages are, too.
  window.addEventListener('storage', () => {
    if (storedLanguage.get() !== i18next.language) void showLanguage(storedLanguage.get());
  });
}

export async function changeLanguage(language: Language): Promise<void> {
  storedLanguage.set(language);
  await showLanguage(language);
}

async function showLanguage(language: Language): Promise<void> {
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** What the API is asked in, too. */
export const currentLanguage = (): Language => storedLanguage.get();

export const loadTexts = (namespaces: string | string[]): Promise<void> => i18next.loadNamespaces(namespaces);
