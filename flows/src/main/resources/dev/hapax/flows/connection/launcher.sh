# The launcher of Hapax: it runs jobs that outlive their connection, each at most once. Hapax sends it to sh
# with every call, so nothing is installed. What it shall do comes after this text, as a group: a text that is
# cut off before the end of the group does nothing.
#
# A job is a folder ~/.hapax/jobs/TOKEN: command, claim (the process that runs it, and since when), stdout,
# stderr, exit (its code, and whether it has ended or was canceled), and canceled if somebody wanted to cancel it.

umask 077
jobs=$HOME/.hapax/jobs

# Prints when a process began, so that a later process with the same number is not taken for it.
tools='began() {
  if [ -r "/proc/$1/stat" ]; then
    sed "s/^.*) //" "/proc/$1/stat" 2>/dev/null | cut -d " " -f 20
  else
    ps -o lstart= -p "$1" 2>/dev/null
  fi
}'
eval "$tools"

# Runs in its own process group. The link claims the job: it exists once, and with its content. The claim is on
# disk before the job begins, so that a machine that loses its power does not begin it again. Only this process knows
# whether the job was over when it was to be canceled, so it writes that down.
runner=$tools'
cd "$1" || exit 1
{ echo "$$"; began "$$"; } > "claim.$$" && ln "claim.$$" claim 2>/dev/null
mine=$?
rm -f "claim.$$"
[ "$mine" = 0 ] || exit 0
sync command claim . .. 2>/dev/null || sync
trap : HUP INT TERM
job=$1
cd
sh "$job/command" > "$job/stdout" 2> "$job/stderr" < /dev/null
code=$?
if [ -f "$job/canceled" ]; then how=canceled; else how=ended; fi
{ echo "$code"; echo "$how"; } > "$job/exit.new" && mv "$job/exit.new" "$job/exit"'

# Whether the process that claimed the job is still there.
is_alive() {
  { read -r pid; read -r since; } < "$job/claim" 2>/dev/null
  [ -n "${since:-}" ] && [ "$(began "$pid")" = "$since" ]
}

# How a job that is over has ended. An earlier launcher has only written its code.
ending() {
  { read -r how; read -r how; } < "$job/exit"
  if [ "$how" = canceled ] || { [ -z "$how" ] && [ -f "$job/canceled" ]; }; then
    echo canceled
  else
    echo ended
  fi
}

state() {
  if [ -f "$job/exit" ]; then
    ending
  elif ! [ -f "$job/claim" ]; then
    if [ -d "$job" ]; then echo waiting; else echo unknown; fi
  elif is_alive; then
    echo running
  elif [ -f "$job/exit" ]; then
    ending
  else
    echo lost
  fi
}

# Waits at most so many tenths of a second until the job has ended.
await() {
  left=$1
  quick=10
  while [ "$left" -gt 0 ] && ! [ -f "$job/exit" ]; do
    if [ "$quick" -gt 0 ] && sleep 0.1 2>/dev/null; then
      quick=$((quick - 1))
      left=$((left - 1))
    else
      sleep 1
      left=$((left - 10))
    fi
  done
}

size() {
  if [ -f "$1" ]; then wc -c < "$1" | tr -d ' '; else echo 0; fi
}

# Answers with one line: the state, the exit code, and of both outputs the size and how much of it follows.
answer() {
  now=$1
  most=$2
  code=-
  [ -f "$job/exit" ] && read -r code < "$job/exit"
  out=$(size "$job/stdout")
  err=$(size "$job/stderr")
  if [ "$out" -gt "$most" ]; then sent_out=0; else sent_out=$out; fi
  if [ "$err" -gt "$most" ]; then sent_err=0; else sent_err=$err; fi
  echo "hapax-job $token $now $code $out $sent_out $err $sent_err"
  [ "$sent_out" = 0 ] || head -c "$sent_out" "$job/stdout"
  [ "$sent_err" = 0 ] || head -c "$sent_err" "$job/stderr"
}

# Removes jobs that ended more than so many days ago.
prune() {
  find "$jobs/." ! -name . -prune -type d -mtime "+$1" \
    -exec sh -c 'for old; do if [ -f "$old/exit" ]; then rm -rf "$old"; fi; done' sh {} + 2>/dev/null
}

# start TENTHS MOST DAYS COMMAND: begins the job unless it has begun, and waits for its end.
start() {
  mkdir -p "$jobs" && prune "$3"
  if ! mkdir -p "$job"; then
    answer refused 0
    return
  fi
  if ! [ -f "$job/command" ]; then
    printf '%s\n' "$4" > "$job/command.$$" && ln "$job/command.$$" "$job/command" 2>/dev/null
    rm -f "$job/command.$$"
  fi
  if ! [ -f "$job/command" ]; then
    answer refused 0
    return
  fi
  if [ "$(cat "$job/command")" != "$4" ]; then
    answer conflict 0
    return
  fi
  if ! [ -f "$job/claim" ]; then
    if command -v setsid > /dev/null 2>&1; then
      setsid sh -c "$runner" hapax-job "$job" < /dev/null > /dev/null 2>&1 &
    else
      set -m
      sh -c "$runner" hapax-job "$job" < /dev/null > /dev/null 2>&1 &
      set +m
    fi
    begun=50
    while ! [ -f "$job/claim" ] && [ "$begun" -gt 0 ]; do
      sleep 0.1 2>/dev/null || sleep 1
      begun=$((begun - 1))
    done
  fi
  if is_alive; then await "$1"; fi
  answer "$(state)" "$2"
}

# look TENTHS MOST: waits for the end of the job, and says what it has written so far.
look() {
  if is_alive; then await "$1"; fi
  answer "$(state)" "$2"
}

# Ends the job and everything that it has started. A job that has not begun never will.
cancel() {
  if [ -d "$job" ] && ! [ -f "$job/claim" ]; then
    printf '0\nnever\n' > "$job/claim.$$" && ln "$job/claim.$$" "$job/claim" 2>/dev/null
    rm -f "$job/claim.$$"
  fi
  if [ -f "$job/claim" ] && ! [ -f "$job/exit" ]; then
    : > "$job/canceled"
    if is_alive; then
      kill -s TERM -- "-$pid" 2>/dev/null
      await 50
      kill -s KILL -- "-$pid" 2>/dev/null
    fi
    if ! [ -f "$job/exit" ]; then
      { echo 137; echo canceled; } > "$job/exit.new" && mv "$job/exit.new" "$job/exit"
    fi
  fi
  answer "$(state)" 0
}

# The first line says that this text has been read: before it, nothing was begun.
launch() {
  echo hapax-launcher
  verb=$1
  token=$2
  shift 2
  case $token in
    *[!a-z0-9]* | '') exit 2 ;;
  esac
  job=$jobs/$token
  "$verb" "$@"
}

