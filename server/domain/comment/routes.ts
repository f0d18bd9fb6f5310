import * as contract from '@rowhouse/contract/comment.ts';
import { Answer, guardedRoute, type Route } from '../../endpoint/route.ts';
import { countComments, countCommentsByQuery } from './count-comments.ts';
import { createComment } from './create-comment.ts';
import { deleteComment } from './delete-comment.ts';
import { getCommentAttachment } from './get-comment-attachment.ts';
import { getComment, listComments } from './list-comments.ts';
import { createReaction, deleteReaction } from './react.ts';
import { createSubscription, deleteSubscription, getSubscription } from './subscribe.ts';
import { updateComment } from './update-comment.ts';

const plainText = { 'content-type': 'text/plain; charset=utf-8' };

export const commentRoutes: Route[] = [
  guardedRoute(contract.createComment, (request, { params, body }) => createComment(request, params.recordId, body)),
  guardedRoute(contract.listComments, (request, { params, query }) => listComments(request, params.recordId, query)),
  guardedRoute(contract.getComment, (request, { params }) => getComment(request, params.recordId, params.commentId)),
  guardedRoute(contract.updateComment, (request, { params, body }) => updateComment(request, params, body.content)),
  guardedRoute(contract.deleteComment, (request, { params }) => deleteComment(request, params)),
  guardedRoute(contract.createReaction, (request, { params, body }) => createReaction(request, params, body.reaction)),
  guardedRoute(contract.deleteReaction, (request, { params, body }) => deleteReaction(request, params, body.reaction)),
  guardedRoute(contract.countComments, (request, { params }) => countComments(request, params.recordId)),
  guardedRoute(contract.countCommentsByQuery, (request, { query }) => countCommentsByQuery(request, query)),
  guardedRoute(contract.getSubscription, (request, { params }) => getSubscription(request, params.recordId)),
  guardedRoute(contract.createSubscription, (request, { params }) => createSubscription(request, params.recordId)),
  guardedRoute(contract.deleteSubscription, (request, { params }) => deleteSubscription(request, params.recordId)),
  guardedRoute(
    contract.getCommentAttachment,
    async (request, { params }) =>
      new Answer({ text: await getCommentAttachment(request, params.recordId, params.path), headers: plainText }),
  ),
];
