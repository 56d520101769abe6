import { Badge, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { TextLink } from '../../components/text-link.tsx';
import { objectPath } from '../../state/object-path.ts';

// Cut by itself: a text does not end a box within it with an ellipsis.
const linkStyle = {
  display: 'inline-block',
  maxWidth: '100%',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  verticalAlign: 'bottom',
  lineHeight: '24px',
} as const;

const useStyles = makeStyles({
  // A tag is beside the name where both fit, else below it.
  name: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalXS,
    minWidth: 0,
    width: '100%',
  },
  // Large enough to be hit with a finger.
  words: { minWidth: 0, maxWidth: '100%', overflow: 'hidden', '& a': linkStyle },
  tag: { flexShrink: 0, maxWidth: '100%', whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' },
  inside: { paddingInlineStart: '32px' },
  badges: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalXXS, minWidth: 0 },
  models: { display: 'flex', alignItems: 'baseline', gap: tokens.spacingHorizontalXS, minWidth: 0, width: '100%' },
  count: { flexShrink: 0, color: tokens.colorNeutralForeground3 },
  quiet: { color: tokens.colorNeutralForeground3 },
});

/** The first, and how many more there are; all of them under the pointer. */
export function Models({ channels }: { channels: Channel[] }) {
  const styles = useStyles();
  const names = [...new Set(channels.flatMap(({ models }) => models.split(',')))].filter(Boolean);
  const [first = '', ...rest] = names;
  return (
    <div className={styles.models} title={names.join(', ')}>
      <Text truncate wrap={false} block>
        {first}
      </Text>
      {rest.length > 0 && (
        <Text size={200} className={styles.count}>
          +{rest.length}
        </Text>
      )}
    </div>
  );
}

export const Clipped = ({ text }: { text: string }) => (
  <Text truncate wrap={false} block title={text}>
    {text}
  </Text>
);

export function ChannelName({ channel, isInside }: { channel: Channel; isInside: boolean }) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const counts = { on: channel.key_on_count, total: channel.key_count };
  return (
    <div className={mergeClasses(styles.name, isInside && styles.inside)}>
      <div className={styles.words}>
        <Text weight="semibold" truncate wrap={false} block title={channel.name}>
          <TextLink to={objectPath.channel(channel.id)}>{channel.name}</TextLink>
        </Text>
      </div>
      {channel.key_mode && (
        <Text size={200} className={styles.count} title={t('keyCount', counts)}>
          {t('keyCountShort', counts)}
        </Text>
      )}
      {!isInside && channel.tag && (
        <Badge appearance="outline" color="informative" className={styles.tag} title={channel.tag}>
          {channel.tag}
        </Badge>
      )}
    </div>
  );
}

export function Groups({ channels }: { channels: Channel[] }) {
  const styles = useStyles();
  const names = [...new Set(channels.flatMap(({ group }) => group.split(',')))].filter(Boolean);
  const shown = names.slice(0, names.length > 2 ? 1 : 2);
  const rest = names.slice(shown.length);
  return (
    <div className={styles.badges}>
      {shown.map((name) => (
        <Badge key={name} appearance="outline" color="informative">
          <TextLink to={objectPath.group(name)}>{name}</TextLink>
        </Badge>
      ))}
      {rest.length > 0 && (
        <Text size={200} className={styles.quiet} title={rest.join(', ')}>
          +{rest.length}
        </Text>
      )}
    </div>
  );
}
