/**
 * SQL that writes down who is to be told of those of the chosen tasks that have ended: their owner, who has switched it on, and the
 * address that came with the job. It belongs in the transaction that ends them. What was gone on with under the same id is told of
 * once, by the row that came last; what its owner has deleted is not told of.
 */
export function noteFinishedTasks(chosen: string): string {
  const hasEnded = `${chosen} AND tasks.status IN ('SUCCESS', 'FAILURE') AND tasks.hidden = 0 AND tasks.task_id <> ''`;
  const isLast = (more: string) => `NOT EXISTS (SELECT 1 FROM tasks AS later WHERE later.task_id = tasks.task_id
    AND later.platform = tasks.platform AND later.user_id = tasks.user_id AND later.id > tasks.id ${more})`;
  return `INSERT INTO task_notices (task, user_id, address, due_at)
    SELECT tasks.id, tasks.user_id, '', tasks.updated_at FROM tasks JOIN users ON users.id = tasks.user_id
    WHERE ${hasEnded} AND users.setting LIKE '%"notify_task_finished":true%' AND ${isLast('')}
    UNION ALL
    SELECT tasks.id, tasks.user_id, tasks.notify_url, tasks.updated_at FROM tasks
    WHERE ${hasEnded} AND tasks.notify_url <> '' AND ${isLast("AND later.notify_url <> ''")}`;
}
