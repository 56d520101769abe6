/** One entry per error: HTTP status, the relay's wire code where it has one of its own, and the text in both languages. */
export interface CatalogEntry {
  status: number;
  wire?: string;
  en: string;
  zh: string;
  hint?: { en: string; zh: string };
}
