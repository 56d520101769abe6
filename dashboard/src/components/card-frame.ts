import { tokens } from '@fluentui/react-components';

/** The edge of every card of a page, whichever component draws it: cards stand beside each other. */
export const cardFrame = {
  borderRadius: tokens.borderRadiusLarge,
  border: `1px solid ${tokens.colorNeutralStroke2}`,
  boxShadow: tokens.shadow2,
  // Fluent's card draws another edge over it, with corners of its own.
  '::after': { borderRadius: tokens.borderRadiusLarge },
};

/** The room within a card that has a title. */
export const cardRoom = { padding: '20px 24px', '@media (max-width: 600px)': { padding: '16px' } };
