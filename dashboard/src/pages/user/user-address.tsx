import { Navigate, useParams } from 'react-router-dom';
import { sessionUser } from '../../state/session.ts';

/** /user/add and /user/edit/:id: the list with the drawer open; one's own account has a form of its own. */
export function UserAddress() {
  const { id } = useParams();
  const me = sessionUser.use();
  if (id === undefined) return <Navigate to="/user?add=true" replace />;
  return <Navigate to={id === String(me?.id) ? '/user/edit' : `/user?edit=${encodeURIComponent(id)}`} replace />;
}
