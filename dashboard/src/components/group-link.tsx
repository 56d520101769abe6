import { objectPath } from '../state/object-path.ts';
import { isAdmin, sessionUser } from '../state/session.ts';
import { TextLink } from './text-link.tsx';

/** The name of a group; for admins with a way to its limits, as a group has no page of its own. */
export function GroupLink({ name }: { name: string }) {
  return isAdmin(sessionUser.use()) ? <TextLink to={objectPath.group(name)}>{name}</TextLink> : name;
}
