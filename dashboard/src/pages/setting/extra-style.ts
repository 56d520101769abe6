import { makeStyles, tokens } from '@fluentui/react-components';

/** What is below a card's own settings, with a call of its own. */
export const useExtraStyles = makeStyles({
  row: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'end',
    gap: tokens.spacingHorizontalS,
    paddingTop: tokens.spacingVerticalL,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  field: { width: '320px', maxWidth: '100%' },
});
