import { objectPath } from '../../state/object-path.ts';
import type { Column } from '../list/column.ts';
import { TextLink } from '../text-link.tsx';

interface Work {
  channel_id: number;
  user_id: number;
  username: string;
}

/** Through which channel, and whose: for admins. */
export function ownerColumns<Row extends Work>(titles: { channel: string; username: string }): Column<Row>[] {
  return [
    {
      key: 'channel',
      hiddenBelow: 1200,
      title: titles.channel,
      grow: 0.5,
      minWidth: 52,
      isInteractive: true,
      cell: ({ channel_id: id }) => id > 0 && <TextLink to={objectPath.channel(id)}>{`#${id}`}</TextLink>,
    },
    {
      key: 'username',
      title: titles.username,
      grow: 0.8,
      minWidth: 64,
      isInteractive: true,
      cell: ({ user_id: id, username }) => username && <TextLink to={objectPath.user(id)}>{username}</TextLink>,
    },
  ];
}
