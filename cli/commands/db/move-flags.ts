export interface MoveFlags {
  to?: string;
  dryRun?: boolean;
  undo?: boolean;
  writeEnv?: boolean;
  yes?: boolean;
}
