/** Where the pictures of people are read; their id follows. Everybody has one: who has uploaded none is shown as nobody in particular. */
export const avatarAddress = '/api/attachments/read/public/avatar/';
