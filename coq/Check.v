(** * The checker, and what it proves *)
From Tallystick Require Export Proofs Runs.

(** More than enough for the deepest formula that a reader of certificates lets through. *)
Definition fuel : nat := Nat.pow 10 4.

(** ** One value in every order *)

(** For a fold: the name of its state, an invariant, and evidence. *)
Record one_value := { of_fold : term; state_name : name; invariant_of : term; evidence_for : list tree }.
Definition has_proof (fuel : nat) (ones : list one_value) (t : term) : bool :=
  existsb (fun o => if term_eqb t (of_fold o) then ordered fuel t (state_name o) (invariant_of o) (evidence_for o) else false) ones.
(** All folds of a program, those in functions too. *)
Definition all_ordered (fuel : nat) (ones : list one_value) (p : term) : bool := forallb (has_proof fuel ones) (folds p).
Lemma has_proof_ok fuel ones t : has_proof fuel ones t = true -> forall r, typed r -> takes_any_order r t.
Proof.
  unfold has_proof. rewrite existsb_exists. intros (o & _ & E) r R. destruct (term_eqb t (of_fold o)); [|discriminate].
  exact (ordered_ok _ _ _ _ _ E r R).
Qed.
Lemma one_run how r p : any_order how -> (forall t, In t (folds p) -> takes_any_order r t) -> returns how r p = meaning r p.
Proof.
  intros H A. apply runs_alike. apply Forall_forall. intros t T. apply any_order_result; auto.
Qed.

(** ** Equivalences *)
Definition check (fuel : nat) (P Q : term) (p : proof) (ones : list one_value) : bool :=
  proves fuel tt' P Q p && all_ordered fuel ones P && all_ordered fuel ones Q.
Theorem check_sound fuel P Q p ones : check fuel P Q p ones = true -> equivalent any_order P Q.
Proof.
  unfold check, all_ordered. rewrite !andb_true_iff, !forallb_forall. intros [[C A] B] r how how' R H H'.
  rewrite (one_run how r P H), (one_run how' r Q H').
  - exact (proves_ok _ _ _ _ _ C r R eq_refl).
  - intros t T. exact (has_proof_ok fuel ones t (B t T) r R).
  - intros t T. exact (has_proof_ok fuel ones t (A t T) r R).
Qed.

(** ** Inequivalences *)

(** An input as a list of values; what is not given is the least value of its type. *)
Definition inputs := list (name * ty * val).
Definition input (l : inputs) : env := fun y u =>
  match find (fun xtv => name_eqb y (fst (fst xtv)) && ty_eqb u (snd (fst xtv))) l with Some xtv => snd xtv | None => default u end.
Fixpoint has_type_b (v : val) (t : ty) {struct v} : bool :=
  let fix all_of (vs : list val) (ts : list ty) : bool :=
    match vs, ts with [], [] => true | v :: vs, t :: ts => has_type_b v t && all_of vs ts | _, _ => false end in
  let fix each (vs : list val) (t : ty) : bool := match vs with [] => true | v :: vs => has_type_b v t && each vs t end in
  match v, t with
  | VInt _, TInt | VBool _, TBool => true
  | VTup vs, TTup ts => all_of vs ts
  | VBag vs, TBag t => each vs t && list_eqb veqb (sort vs) vs
  | _, _ => false
  end.
Lemma has_type_b_ok v t : has_type_b v t = true -> has_type v t.
Proof.
  revert t; induction v using val_ind'; intros [] H'; try (cbn in *; tauto || discriminate).
  - apply has_type_tup. cbn in H'. revert components H'; induction H; intros []; cbn; try discriminate; [constructor|].
    rewrite andb_true_iff. intros [A B]. constructor; auto.
  - apply has_type_bag. cbn in H'. apply andb_true_iff in H' as [A B]. split.
    + clear B. induction H; constructor; apply andb_true_iff in A as [A B]; auto.
    + apply list_eqb_eq in B; auto. apply Forall_forall. intros x _ y E. now apply veqb_eq.
Qed.
(** Where a fold has no proof, all orders of its few elements on this input are tried. *)
Definition most_elements := 7%nat.
Fixpoint reached (n : nat) (f : val -> val -> val) (l : list val) (a : val) : list val := match n, l with
  | Datatypes.S n, _ :: _ => flat_map (fun xr => reached n f (snd xr) (f a (fst xr))) (picks l)
  | _, _ => [a]
  end.
Definition one_value_of (f : val -> val -> val) (l : list val) (a : val) : bool :=
  if Nat.leb (List.length l) most_elements then forallb (veqb (fold_left f l a)) (reached (List.length l) f l a) else false.
Definition tried (r : env) (t : term) : bool := match t with
  | Op Fold [i; f; b] => one_value_of (fun m x => eval r x m f) (elements (meaning r b)) (meaning r i)
  | Op FoldByKey [i; f; b] => let pairs := elements (meaning r b) in
      forallb (fun k => one_value_of (fun m x => eval r x m f) (values_of_key k pairs) (meaning r i)) (dedup (map (component 0) pairs))
  | _ => false
  end.
Lemma reached_all f n : forall l l' a, List.length l = n -> Permutation l l' -> In (fold_left f l' a) (reached n f l a).
Proof.
  induction n as [|n IH]; intros l l' a L P.
  - destruct l; [|discriminate]. apply Permutation_nil in P. subst. cbn. auto.
  - destruct l' as [|x l']; [symmetry in P; apply Permutation_nil in P; subst; discriminate|].
    assert (I : In x l) by (eapply Permutation_in; [symmetry; exact P|cbn; auto]). destruct (picks_all x l I) as (k & K).
    destruct l as [|y l]; [discriminate|]. cbn [reached]. apply in_flat_map. exists (x, k). split; auto. cbn [fst snd fold_left].
    apply picks_in in K. apply IH.
    + apply Permutation_length in K. cbn in K, L. lia.
    + apply (Permutation_cons_inv (a := x)). etransitivity; [symmetry; exact K|exact P].
Qed.
Lemma one_value_ok f l a : one_value_of f l a = true -> forall l', Permutation l l' -> fold_left f l' a = fold_left f l a.
Proof.
  unfold one_value_of. destruct (Nat.leb _ _); [|discriminate]. rewrite forallb_forall. intros A l' P. symmetry. apply veqb_eq, A. now apply reached_all.
Qed.
Lemma tried_ok r t : tried r t = true -> takes_any_order r t.
Proof.
  destruct t as [| | | | |o args]; try exact (fun _ => I). destruct o; try exact (fun _ => I); destruct args as [|i [|f [|b [|]]]]; try exact (fun _ => I); cbn [tried takes_any_order].
  - intros O l P. exact (one_value_ok _ _ _ O l P).
  - cbv zeta. rewrite forallb_forall. intros O k l P. destruct (in_dec val_dec k (map (component 0) (elements (meaning r b)))) as [K|K].
    + apply (proj2 (dedup_in _ _)) in K. exact (one_value_ok _ _ _ (O k K) l P).
    + assert (E : values_of_key k (elements (meaning r b)) = []).
      { unfold values_of_key. replace (filter _ _) with (@nil val); auto. symmetry. clear -K. induction (elements (meaning r b)) as [|p l IH]; cbn; auto.
        destruct (veqb (component 0 p) k) eqn:E; [apply veqb_eq in E; cbn in K; tauto|]. apply IH. cbn in K. tauto. }
      rewrite E in P |- *. apply Permutation_nil in P. now subst.
Qed.

(** On this input, the programs return these values, which differ, whatever the order of the elements. *)
Definition settled (fuel : nat) (ones : list one_value) (r : env) (p : term) : bool :=
  forallb (fun t => if existsb (fun o => term_eqb t (of_fold o)) ones then has_proof fuel ones t else tried r t) (folds p).
Definition differ (fuel : nat) (P Q : term) (l : inputs) (returned : val * val) (ones : list one_value) : bool :=
  forallb (fun xtv => has_type_b (snd xtv) (snd (fst xtv))) l && veqb (meaning (input l) P) (fst returned) &&
  veqb (meaning (input l) Q) (snd returned) && negb (veqb (fst returned) (snd returned)) &&
  settled fuel ones (input l) P && settled fuel ones (input l) Q.
Lemma input_typed l : forallb (fun xtv => has_type_b (snd xtv) (snd (fst xtv))) l = true -> typed (input l).
Proof.
  intros T y u. unfold input. destruct (find _ l) as [[[x t] v]|] eqn:F; [|apply default_typed]. apply find_some in F as [I B].
  cbn [fst snd] in *. apply andb_true_iff in B as [_ B]. apply ty_eqb_eq in B. subst. rewrite forallb_forall in T. apply has_type_b_ok, (T _ I).
Qed.
Lemma settled_ok fuel ones r p : typed r -> settled fuel ones r p = true -> forall t, In t (folds p) -> takes_any_order r t.
Proof.
  intros R. unfold settled. rewrite forallb_forall. intros S t T. specialize (S t T). destruct (existsb _ ones).
  - exact (has_proof_ok fuel ones t S r R).
  - now apply tried_ok.
Qed.
Theorem differ_sound fuel P Q l returned ones : differ fuel P Q l returned ones = true -> inequivalent any_order P Q.
Proof.
  unfold differ. rewrite !andb_true_iff, negb_true_iff. intros (((((T & A) & B) & D) & SP) & SQ). pose proof (input_typed l T) as R.
  exists (input l). split; auto. intros how how' H H'.
  rewrite (one_run how _ P H), (one_run how' _ Q H') by (eapply settled_ok; eauto).
  apply veqb_eq in A, B. apply veqb_neq in D. congruence.
Qed.
