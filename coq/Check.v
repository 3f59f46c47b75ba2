(** * The checker, and what it proves *)
From Tallystick Require Export Proofs Partition.

(** More than enough for the deepest formula that a reader of certificates lets through. *)
Definition fuel : nat := Nat.pow 10 4.

(** ** Folds have one value *)

(** For a fold, and the function that merges its parts if there is one: the name of its state, an invariant, and evidence. *)
Record one_value := { of_fold : term; merged_by : option term; state_name : name; invariant_of : term; evidence_for : list tree }.
(** ORDER proves it of folds that nothing merges, PARTITION of those that a function merges: this is more. *)
Definition holds (fuel : nat) (o : one_value) : bool := match merged_by o with
  | None => ordered fuel (of_fold o) (state_name o) (invariant_of o) (evidence_for o)
  | Some g => parted fuel (of_fold o) g (state_name o) (invariant_of o) (evidence_for o)
  end.
Definition covers (way : term * option term) (o : one_value) : bool :=
  term_eqb (fst way) (of_fold o) && match snd way, merged_by o with
    | Some g, Some h => term_eqb g h | Some _, None => false | None, _ => true end.
Lemma covers_ok fuel ones t merge : forallb (holds fuel) ones = true -> existsb (covers (t, merge)) ones = true ->
  forall r, typed r -> has_one_value r t merge.
Proof.
  rewrite forallb_forall, existsb_exists. intros H (o & O & C) r R. specialize (H o O). unfold covers, holds in *. cbn [fst snd] in C.
  apply andb_true_iff in C as [T C]. apply term_eqb_eq in T. subst t. destruct merge as [g|], (merged_by o) as [h|]; try discriminate.
  - apply term_eqb_eq in C. subst. now apply (parted_ok _ _ _ _ _ _ H r R).
  - now apply (parted_ok _ _ _ _ _ _ H r R).
  - exact (ordered_ok _ _ _ _ _ H r R).
Qed.
Definition has_ways (ones : list one_value) (p : program) : bool := merges_ok p && forallb (fun way => existsb (covers way) ones) (ways p).
Lemma returns_one fuel ones p how r : forallb (holds fuel) ones = true -> has_ways ones p = true -> typed r -> runs how r p ->
  returns how r p = meaning r (expression p).
Proof.
  intros O. unfold has_ways. rewrite andb_true_iff, forallb_forall. intros [M W] R H. apply one_run; auto.
  intros t merge T. exact (covers_ok fuel ones t merge O (W _ T) r R).
Qed.

(** ** Equivalences *)
Fixpoint outcome_eqb (a b : outcome) : bool := match a, b with
  | Value, Value | Mean, Mean => true | MayRaise a, MayRaise b => outcome_eqb a b | _, _ => false end.
Lemma outcome_eqb_eq a b : outcome_eqb a b = true -> a = b.
Proof. revert b; induction a; intros []; cbn; try discriminate; intros; f_equal; auto. Qed.
(** Programs take the same parameters, the expressions use no others, and return results of one kind. *)
Definition parameter_eqb (a b : string * ty) : bool := String.eqb (fst a) (fst b) && ty_eqb (snd a) (snd b).
Definition taken (p : program) (x : name) (t : ty) : bool := match x with N s => existsb (parameter_eqb (s, t)) (parameters p) | _ => false end.
Fixpoint all_taken (p : program) (t : term) : bool := match t with
  | Var x t => taken p x t | Op _ args => forallb (all_taken p) args | _ => true end.
Definition comparable_b (p q : program) : bool :=
  list_eqb parameter_eqb (parameters p) (parameters q) && outcome_eqb (stands_for p) (stands_for q) &&
  all_taken p (expression p) && all_taken q (expression q).
Lemma comparable_ok p q : comparable_b p q = true -> comparable p q.
Proof.
  unfold comparable_b. rewrite !andb_true_iff. intros [[[L E] _] _]. split; [|now apply outcome_eqb_eq].
  eapply list_eqb_eq; [|exact L]. apply Forall_forall. intros [x t] _ [y u] H. apply andb_true_iff in H as [A B]. cbn [fst snd] in A, B.
  apply String.eqb_eq in A. apply ty_eqb_eq in B. congruence.
Qed.
Lemma same_outcome_refl a v : same_outcome a v v.
Proof. revert v; induction a; cbn; auto. Qed.

Definition check (fuel : nat) (p q : program) (by_ : proof) (ones : list one_value) : bool :=
  comparable_b p q && proves fuel tt' (expression p) (expression q) by_ &&
  forallb (holds fuel) ones && has_ways ones p && has_ways ones q.
Theorem check_sound fuel p q by_ ones : check fuel p q by_ ones = true -> equivalent p q.
Proof.
  unfold check. rewrite !andb_true_iff. intros [[[[E C] O] A] B]. split; [now apply comparable_ok|]. intros r how how' R H H'.
  rewrite (returns_one fuel ones p how r O A R H), (returns_one fuel ones q how' r O B R H').
  rewrite (proves_ok _ _ _ _ _ C r R eq_refl). apply same_outcome_refl.
Qed.

(** ** Inequivalences *)

(** An input as a list of values; what is not given is the least value of its type. *)
Definition inputs := list (name * ty * val).
Definition input (l : inputs) : env := fun y u =>
  match find (fun xtv => name_eqb y (fst (fst xtv)) && ty_eqb u (snd (fst xtv))) l with Some xtv => snd xtv | None => default u end.
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
  destruct t as [| | | | | |o args]; try exact (fun _ => I). destruct o; try exact (fun _ => I); destruct args as [|i [|f [|b [|]]]]; try exact (fun _ => I); cbn [tried takes_any_order].
  - intros O l P. exact (one_value_ok _ _ _ O l P).
  - cbv zeta. rewrite forallb_forall. intros O k l P. destruct (in_dec val_dec k (map (component 0) (elements (meaning r b)))) as [K|K].
    + apply (proj2 (dedup_in _ _)) in K. exact (one_value_ok _ _ _ (O k K) l P).
    + assert (E : values_of_key k (elements (meaning r b)) = []).
      { unfold values_of_key. replace (filter _ _) with (@nil val); auto. symmetry. clear -K. induction (elements (meaning r b)) as [|p l IH]; cbn; auto.
        destruct (veqb (component 0 p) k) eqn:E; [apply veqb_eq in E; cbn in K; tauto|]. apply IH. cbn in K. tauto. }
      rewrite E in P |- *. apply Permutation_nil in P. now subst.
Qed.

(** Whether two values stand for different results. *)
Fixpoint same_outcome_b (as_ : outcome) (v w : val) : bool := match as_ with
  | Value => veqb v w
  | Mean => fst (fraction v) * snd (fraction w) =? fst (fraction w) * snd (fraction v)
  | MayRaise returned => veqb (component 0 v) (component 0 w) &&
      (negb (toB (component 0 v)) || same_outcome_b returned (component 1 v) (component 1 w))
  end.
Lemma same_outcome_ok a v w : same_outcome a v w -> same_outcome_b a v w = true.
Proof.
  revert v w; induction a; cbn; intros v w.
  - now rewrite veqb_eq. - now rewrite Z.eqb_eq.
  - intros [E H]. rewrite (proj2 (veqb_eq _ _) E). destruct (toB (component 0 v)); cbn; auto.
Qed.

(** On this input, the programs return these values, which differ, whatever the order of the elements. *)
Definition settled (ones : list one_value) (r : env) (p : program) : bool :=
  merges_ok p && forallb (fun way => if existsb (covers way) ones then true
    else match snd way with None => tried r (fst way) | Some _ => false end) (ways p).
Definition differ (fuel : nat) (p q : program) (known given : inputs) (returned : val * val) (ones : list one_value) : bool :=
  let l := (known ++ given)%list in
  comparable_b p q && forallb (fun xtv => veqb (input l (fst (fst xtv)) (snd (fst xtv))) (snd xtv)) known && forallb (fun xtv => has_type_b (snd xtv) (snd (fst xtv))) l &&
  veqb (meaning (input l) (expression p)) (fst returned) && veqb (meaning (input l) (expression q)) (snd returned) &&
  negb (same_outcome_b (stands_for p) (fst returned) (snd returned)) &&
  forallb (holds fuel) ones && settled ones (input l) p && settled ones (input l) q.
Lemma input_typed l : forallb (fun xtv => has_type_b (snd xtv) (snd (fst xtv))) l = true -> typed (input l).
Proof.
  intros T y u. unfold input. destruct (find _ l) as [[[x t] v]|] eqn:F; [|apply default_typed]. apply find_some in F as [I B].
  cbn [fst snd] in *. apply andb_true_iff in B as [_ B]. apply ty_eqb_eq in B. subst. rewrite forallb_forall in T. apply has_type_b_ok, (T _ I).
Qed.
Lemma settled_ok fuel ones r p how : forallb (holds fuel) ones = true -> typed r -> settled ones r p = true -> runs how r p ->
  returns how r p = meaning r (expression p).
Proof.
  intros O R. unfold settled. rewrite andb_true_iff, forallb_forall. intros [M S] H. apply one_run; auto.
  intros t merge T. specialize (S _ T). cbn [fst snd] in S. destruct (existsb _ ones) eqn:C.
  - exact (covers_ok fuel ones t merge O C r R).
  - destruct merge; [discriminate|]. now apply tried_ok.
Qed.
Theorem differ_sound fuel p q known given returned ones : differ fuel p q known given returned ones = true -> inequivalent known p q.
Proof.
  unfold differ. cbv zeta. set (l := (known ++ given)%list). rewrite !andb_true_iff, negb_true_iff.
  intros ((((((((E & K) & T) & A) & B) & D) & O) & SP) & SQ). pose proof (input_typed l T) as R.
  split; [now apply comparable_ok|]. exists (input l). split; [auto|]. split.
  { intros f ts vs t v I. rewrite forallb_forall in K. exact (proj1 (veqb_eq _ _) (K _ I)). }
  intros how how' H H' S.
  rewrite (settled_ok fuel ones _ p how O R SP H), (settled_ok fuel ones _ q how' O R SQ H') in S.
  apply veqb_eq in A, B. rewrite A, B in S. apply same_outcome_ok in S. congruence.
Qed.
