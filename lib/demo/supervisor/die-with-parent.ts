// Imported into every child before its own code: when the channel to the supervisor closes because that was killed,
// the child ends as if it had been asked to, and five seconds later it ends for certain with all that it started.
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(
    () => process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL'),
    5_000,
  ).unref();
});
process.channel?.unref();

// A child's own children are its own business, and some live on the channel to it (Next's development server).
const place = process.execArgv.indexOf(import.meta.url);
if (place > 0) process.execArgv.splice(place - 1, 2);
