/** One entry per error: HTTP status and the relay's wire code where it has one of its own. Its texts are in core/text under its code. */
export interface CatalogEntry {
  status: number;
  wire?: string;
}
