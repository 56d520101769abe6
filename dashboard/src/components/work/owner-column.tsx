import type { Column } from '../list/column.ts';

interface Work {
  channel_id: number;
  username: string;
}

/** Through which channel, and whose: for admins. */
export function ownerColumns<Row extends Work>(titles: { channel: string; username: string }): Column<Row>[] {
  return [
    {
      ...{ key: 'channel', title: titles.channel, grow: 0.6, minWidth: 64 },
      cell: ({ channel_id: id }) => id > 0 && `#${id}`,
    },
    { key: 'username', title: titles.username, grow: 0.8, minWidth: 76, cell: ({ username }) => username },
  ];
}
