#!/bin/sh
# A small repository in $DIRECTORY: three commits, a branch, a change that is staged and one that is not.
# Names, dates and times are fixed, so that every hash is the same wherever it is made.
set -eu
cd "$DIRECTORY"

git init --quiet --initial-branch=main .
rm -rf .git/hooks .git/info .git/description
git config gc.auto 0

commit() { # date, message
    find . -path ./.git -prune -o -type f -exec touch -d "$1" {} +
    git add --all
    GIT_AUTHOR_DATE="$1" GIT_COMMITTER_DATE="$1" git commit --quiet --message "$2"
}

printf 'tea\n' > list.txt
commit '2025-03-01T09:00:00+00:00' 'Begin the list'
printf 'tea\nbread\n' > list.txt
printf 'What to buy, a thing a line.\n' > README.md
commit '2025-03-08T09:00:00+00:00' 'Add bread, and say what this is'
git branch draft
printf 'tea\nbread\nrice\n' > list.txt
commit '2025-03-15T09:00:00+00:00' 'Add rice'

printf 'Saturday\n' > days.txt
touch -d '2025-03-16T09:00:00+00:00' days.txt
git add days.txt
printf 'tea\nbread\nrice\nplums\n' > list.txt
touch -d '2025-03-16T10:00:00+00:00' list.txt
