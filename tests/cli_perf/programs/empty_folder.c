/* Removes each file of the folder "full" while it reads the folder, and prints how many. */
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int count = 0;
  DIR *folder = opendir("full");
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    char name[300];
    snprintf(name, sizeof name, "full/%s", entry->d_name);
    count += entry->d_name[0] != '.' && unlink(name) == 0;
  }
  printf("%d\n", count);
  return 0;
}
