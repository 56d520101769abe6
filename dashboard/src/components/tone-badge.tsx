import { Badge, type BadgeProps, makeStyles, mergeClasses } from '@fluentui/react-components';
import type { ReactNode } from 'react';

export type Tone = 'green' | 'lime' | 'yellow' | 'orange' | 'red';

/** Fluent's own tints of these are all olive; the colors of both themes are in index.html. */
const useStyles = makeStyles({
  lime: toneStyle('lime'),
  yellow: toneStyle('yellow'),
  orange: toneStyle('orange'),
});

function toneStyle(tone: Tone) {
  return {
    color: `var(--tone-${tone}-text)`,
    backgroundColor: `var(--tone-${tone}-surface)`,
    border: `1px solid var(--tone-${tone}-border)`,
  };
}

interface ToneBadgeProps extends Pick<BadgeProps, 'className'> {
  tone: Tone;
  children: ReactNode;
}

/** How good a figure is, in five steps that can be told apart. */
export function ToneBadge({ tone, className, children }: ToneBadgeProps) {
  const styles = useStyles();
  if (tone === 'green' || tone === 'red') {
    return (
      <Badge appearance="tint" color={tone === 'green' ? 'success' : 'danger'} className={className}>
        {children}
      </Badge>
    );
  }
  return (
    <Badge appearance="tint" className={mergeClasses(styles[tone], className)}>
      {children}
    </Badge>
  );
}
