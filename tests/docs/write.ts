import { writeDocuments } from './section.ts';

await writeDocuments();
