import { onCard } from './card.ts';
import { page, text } from './kind.ts';
import { link } from './link.ts';

/** What the installation is called and what its pages say: the tab `other`. */
export const contentOptions = {
  ...onCard('notice', { Notice: page() }),
  ...onCard('system-name', { SystemName: text('Tollgate', 100) }),
  ...onCard('logo', { Logo: link({ allowPath: true }) }),
  ...onCard('home-page', { HomePageContent: page() }),
  ...onCard('about', { About: page() }),
  ...onCard('footer', { Footer: page() }),
};
