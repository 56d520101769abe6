import { writeBadges } from './badge.ts';
import { writeDocuments } from './section.ts';

await writeDocuments();
await writeBadges();
