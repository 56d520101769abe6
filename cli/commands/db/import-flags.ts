export interface ImportFlags {
  dryRun?: boolean;
  merge?: boolean;
  logs?: boolean;
  yes?: boolean;
}
