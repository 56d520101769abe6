/** `ls`, `rm` and `new` for those whose fingers type them; the help names one word per verb. */
export const verbAliases: Readonly<Record<string, string>> = { ls: 'list', rm: 'remove', new: 'create' };
