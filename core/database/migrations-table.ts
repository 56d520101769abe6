/** Made before the first migration. */
export const migrationsTable = 'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, ran_at BIGINT NOT NULL)';
